import { list, mapping, optional, required, text } from "../shape.ts";
import { amountMiB } from "./parts.ts";

export const output = mapping({
  most: required(
    "the most of a job's output, and of its error output (10 GiB): a job that prints more is ended",
    amountMiB,
  ),
});

/** A comma and a colon end it where jobs name it. */
export const channelName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/u;
export const channel = mapping({
  command: optional(
    "the program that is run, by its path, and its arguments; it reads what happened, as JSON, from its standard input",
    list(text(/^[^\0]{1,4000}$/u, "a text of at most 4000 characters"), 1, 100),
    null,
  ),
  webhook: optional(
    "the address that is sent what happened, as JSON, by POST",
    text(/^https?:\/\/\S{1,2000}$/u, "an address that begins with https:// or http://"),
    null,
  ),
});
