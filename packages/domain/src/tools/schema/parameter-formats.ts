import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';

const textNames = [
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'json-pointer',
  'byte',
] as const;
const numberNames = ['int32', 'int64', 'float', 'double'] as const;

/** No value of these formats is ever this long; what is longer is not given to an expression that was not made for it. */
const textMax = 8192;

const checkOf = (format: Format): ((text: string) => boolean) => {
  if (format instanceof RegExp) return (text) => format.test(text);
  const validate = typeof format === 'object' ? format.validate : format;
  if (typeof validate !== 'function') throw new TypeError('a text format must be a pattern or a function');
  return (text) => (validate as (text: string) => unknown)(text) === true;
};

const bounded = (format: Format): Format => {
  const check = checkOf(format);
  return (text: string) => text.length <= textMax && check(text);
};

/** The values of `format` that are checked, each measured to take linear time on texts made to slow it down. */
export const parameterFormats: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(textNames.map((name) => [name, bounded(fullFormats[name])])),
  ...Object.fromEntries(numberNames.map((name) => [name, fullFormats[name]])),
};

export const isFormat = (value: unknown): boolean => typeof value === 'string' && Object.hasOwn(parameterFormats, value);

export const FORMAT_FAULT = `must be one of ${Object.keys(parameterFormats).join(', ')}`;
