/** Longer headers are not parsed; those of browsers have about forty characters. */
const readMax = 1_000;
/** RFC 9110, section 12.4.2. */
const WEIGHT = /^q=(1(\.0{0,3})?|0?\.\d{0,3}|0)$/i;

const isWeighty = (parameter: string): boolean => WEIGHT.test(parameter) && Number(parameter.slice(2)) > 0;

/** True if `Accept-Encoding` names gzip without a weight of zero. */
export const takesGzip = (accepted: string | string[] | undefined): boolean => {
  const said = String(accepted ?? '');
  if (said.length > readMax) return false;
  return said.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
    return name.toLowerCase() === 'gzip' && parameters.length <= 1 && parameters.every(isWeighty);
  });
};
