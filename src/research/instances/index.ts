export { generateInstance, generatorDefaults, type GeneratorSettings } from "./generate.ts";
export { readInstance } from "./read.ts";
export { writeInstance } from "./write.ts";
