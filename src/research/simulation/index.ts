export { sharedNodes } from "./shared-nodes.ts";
export { behindWholeNodes, publishedNames, wholeNodePolicies } from "./whole-node-names.ts";
export { wholeNodes } from "./whole-nodes.ts";
