export const table = "patient";
