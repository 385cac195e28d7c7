const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

let made = 0;

/** A ULID of a time, by default now; in a process each is greater than the one before of the same millisecond. */
export const newUlid = (timeMs = Date.now()): string => {
  made += 1;
  const digits = (value: number, width: number): string => {
    let text = '';
    for (let left = value; text.length < width; left = Math.floor(left / 32)) text = DIGITS.charAt(left % 32) + text;
    return text;
  };
  return digits(timeMs, 10) + digits(process.pid, 6) + digits(made, 10);
};
