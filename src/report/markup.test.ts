import * as fc from "fast-check";
import { expect, test } from "vitest";
import { escapeText, markup, none } from "./markup.ts";

test("strings are escaped, markup and lists of markup are not", () => {
  const item = markup`<li title="${`"quoted" & 'so'`}">${"<b>"}</li>`;
  expect(markup`<ul>${[item, none]}${3}</ul>`.text).toBe(
    '<ul><li title="&quot;quoted&quot; &amp; &#39;so&#39;">&lt;b&gt;</li>3</ul>',
  );
});

test("an escaped text has nothing left that could end a text or an attribute", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(escapeText(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
    }),
  );
});

test("control characters are replaced, lines and tabs stay", () => {
  expect(escapeText("a\u0000b\u001bc\u0085\nd\te")).toBe("a\ufffdb\ufffdc\ufffd\nd\te");
});
