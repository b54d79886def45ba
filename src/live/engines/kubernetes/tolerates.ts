import type { Taint, Toleration } from "./objects.ts";

export function tolerates({ key = "", operator, value, effect = "" }: Toleration, taint: Taint): boolean {
  return (
    (effect === "" || effect === taint.effect) &&
    (key === "" || key === taint.key) &&
    (operator === "Exists" || (value ?? "") === (taint.value ?? ""))
  );
}
