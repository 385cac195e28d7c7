import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isIri, isIriReference, isUri, isUriReference, isUriTemplate } from './resource-identifiers.ts';
import { isDateTime, isDuration, isEmail, isHostname, isInternationalEmail, isRegularExpression, isTime } from './text-formats.ts';

const numberNames = ['int32', 'int64', 'float', 'double'] as const;

/** No value of these formats is longer; a longer text is not passed to a regular expression that was not designed for it. */
const textMax = 8192;

const readCheck = (format: Format): ((text: string) => boolean) => {
  if (format instanceof RegExp) return (text) => format.test(text);
  const validate = typeof format === 'object' ? format.validate : format;
  if (typeof validate !== 'function') throw new TypeError('a text format must be a pattern or a function');
  return (text) => (validate as (text: string) => unknown)(text) === true;
};

const bounded = (format: Format): Format => {
  const check = readCheck(format);
  return (text: string) => text.length <= textMax && check(text);
};

/** The formats of texts. Formats of Ajv that differ from the test suite of JSON Schema are replaced. */
const textFormats: Readonly<Record<string, Format>> = {
  date: fullFormats.date,
  time: isTime,
  'date-time': isDateTime,
  duration: isDuration,
  email: isEmail,
  'idn-email': isInternationalEmail,
  hostname: isHostname,
  ipv4: fullFormats.ipv4,
  ipv6: fullFormats.ipv6,
  uri: isUri,
  'uri-reference': isUriReference,
  iri: isIri,
  'iri-reference': isIriReference,
  'uri-template': isUriTemplate,
  uuid: /^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$/,
  'json-pointer': fullFormats['json-pointer'],
  'relative-json-pointer': fullFormats['relative-json-pointer'],
  regex: isRegularExpression,
  byte: fullFormats.byte,
};

/** The checked values of `format`, each measured to take linear time on adversarial texts. */
export const parameterFormats: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(Object.entries(textFormats).map(([name, format]) => [name, bounded(format)])),
  ...Object.fromEntries(numberNames.map((name) => [name, fullFormats[name]])),
};

export const isFormat = (value: unknown): boolean => typeof value === 'string' && Object.hasOwn(parameterFormats, value);

export const FORMAT_FAULT = `must be one of ${Object.keys(parameterFormats).join(', ')}`;
