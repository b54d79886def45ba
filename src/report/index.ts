export const layer = "report";
