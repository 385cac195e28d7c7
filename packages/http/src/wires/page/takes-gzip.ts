/** What browsers say has some forty characters; no more than this of it is read, and what comes after counts as not said. */
const readMax = 1_000;
/** RFC 9110, section 12.4.2. */
const WEIGHT = /^q=(1(\.0{0,3})?|0?\.\d{0,3}|0)$/i;

const isWeighty = (parameter: string): boolean => WEIGHT.test(parameter) && Number(parameter.slice(2)) > 0;

/** Whether an answer may come compressed, by `Accept-Encoding`: said by name, and not refused by a weight of nothing. */
export const takesGzip = (accepted: string | string[] | undefined): boolean =>
  String(accepted ?? '')
    .slice(0, readMax)
    .split(',')
    .some((part) => {
      const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
      return name.toLowerCase() === 'gzip' && parameters.length <= 1 && parameters.every(isWeighty);
    });
