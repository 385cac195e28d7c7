const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

let made = 0;

/** Generates a ULID for a time, by default now; within a process and millisecond they increase. */
export const newUlid = (timeMs = Date.now()): string => {
  made += 1;
  const digits = (value: number, width: number): string => {
    let text = '';
    for (let left = value; text.length < width; left = Math.floor(left / 32)) text = DIGITS.charAt(left % 32) + text;
    return text;
  };
  return digits(timeMs, 10) + digits(process.pid, 6) + digits(made, 10);
};
