const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a date, YYYY-MM-DD in digits, is a day of the Gregorian calendar. */
export function isDay(date: string): boolean {
  const day = Number(date.slice(8, 10));
  return day >= 1 && day <= daysOf(Number(date.slice(5, 7)), Number(date.slice(0, 4)));
}

/** How many days a month has, counted from 1; 0 when there is no such month. */
export function daysOf(month: number, year: number): number {
  const length = MONTHS[month - 1] ?? 0;
  return month === 2 && isLeap(year) ? length + 1 : length;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
