import { expect, it } from "vitest";

import { delayNames } from "../../core/index.ts";
import { ExplanationAnswer, ReasonsAnswer } from "./explanation-answer.ts";

it("the answers know every reason for which a promise is put off", () => {
  const schema = JSON.stringify([ExplanationAnswer, ReasonsAnswer]);
  for (const name of delayNames.slice(1)) expect(schema).toContain(`"${name}"`);
});
