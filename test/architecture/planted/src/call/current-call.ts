export const call = "patient";
