export const entry = "entry";
