import type { Check } from "../check.ts";
import { nearest } from "../host.ts";

/** Below it a busy farm is full within hours: the log alone may take 400 MiB, and a snapshot as much as the jobs. */
const LEAST_MIB = 1024;
const LEAST_FILES = 10_000;

export const disk: Check = {
  name: "disk",
  isOfService: true,
  look({ data, host }) {
    const { freeMiB, wholeMiB, filesFree } = host.room(nearest(data));
    const what = `the disk of ${data}`;
    const room = `${Math.floor(freeMiB)} MiB of ${Math.floor(wholeMiB)} MiB are free`;
    return [
      {
        what,
        found: room,
        change:
          freeMiB < LEAST_MIB
            ? `make ${LEAST_MIB} MiB of room (du -xsh ${data}/*), keep less (retention and output in the farm file), or move the folder to another disk`
            : null,
      },
      ...(filesFree === null
        ? []
        : [
            {
              what: `${what}, its files`,
              found: `${filesFree} more can be made`,
              change:
                filesFree < LEAST_FILES ? `remove files there (df -i ${data}): each job makes some` : null,
            },
          ]),
    ];
  },
};
