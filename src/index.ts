export { a } from "./core/index.ts";
