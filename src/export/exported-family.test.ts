import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { InputError } from "../workload/index.ts";
import { familyKinds, parseExportedFamilies } from "./exported-family.ts";

describe("families", () => {
  it("are named by what their jobs have in common", () => {
    expect(parseExportedFamilies(["queue=ams", "user=ann.b-c"])).toEqual([
      { kind: "queue", name: "ams", id: "queue_ams" },
      { kind: "user", name: "ann.b-c", id: "user_ann_b_c" },
    ]);
  });

  it.each([
    [[], /no family/],
    [["ams"], /KIND=NAME/],
    [["=ams"], /KIND=NAME/],
    [["colour=blue"], /KIND=NAME/],
    [["queue="], /cannot be used/],
    [["queue=-R"], /cannot be used/],
    [["queue=a b"], /cannot be used/],
    [["queue=a'; rm -rf / #"], /cannot be used/],
    [["queue=$(id)"], /cannot be used/],
    [['queue=x" }, os.execute("id")'], /cannot be used/],
    [["queue=a\nb"], /cannot be used/],
    [["queue=äms"], /cannot be used/],
    [[`queue=${"a".repeat(65)}`], /cannot be used/],
    [["queue=ams", "queue=ams"], /twice/],
    [["queue=a.b", "queue=a-b"], /both be called queue_a_b/],
    [Array.from({ length: 17 }, (_, at) => `queue=q${at}`), /at most 16/],
  ])("%j is refused", (texts, message) => {
    expect(() => parseExportedFamilies(texts)).toThrow(message);
    expect(() => parseExportedFamilies(texts)).toThrow(InputError);
  });

  it("never let anything through that a shell could take for more than a word", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...familyKinds),
        fc.string({ unit: "binary", maxLength: 70 }),
        (kind, name) => {
          try {
            const [family] = parseExportedFamilies([`${kind}=${name}`]);
            expect(family.name).toMatch(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/);
            expect(family.id).toMatch(/^[a-z]+_[A-Za-z0-9_]+$/);
          } catch (error) {
            expect(error).toBeInstanceOf(InputError);
          }
        },
      ),
    );
  });
});
