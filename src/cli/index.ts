export const layer = "cli";
