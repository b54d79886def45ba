export const layer = "study";
