import type { Fault, Faults } from '../fault.ts';
import { formatPointer } from '../json-pointer.ts';
import { CONNECTION_HEADERS } from './connection-headers.ts';
import {
  expandText,
  findParameterFault,
  findSoleName,
  listTemplateNames,
  parseText,
  readParameter,
  type TextTemplate,
} from './text-template.ts';

export type HeaderTemplates = readonly (readonly [name: string, value: TextTemplate])[];

const valueMax = 8192;

/** Secrets come from the tool's credential at the moment of the call, never from a declaration that many may read. */
const ofCredentials = new Set(['authorization', 'cookie', 'proxy-authenticate', 'proxy-authorization']);

/** Returns why a call cannot have a header of this lower-case name; undefined if it can. */
export const findHeaderNameFault = (name: string): string | undefined => {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || name === '__proto__') return 'must be a valid header name';
  if (CONNECTION_HEADERS.has(name)) return 'is set by the service itself';
  return ofCredentials.has(name) ? 'carries a secret: use credential_id' : undefined;
};

/** Reads `execution.headers`; names come out in lower case. */
export const parseHeaders = (headers: Readonly<Record<string, string>>): HeaderTemplates | Faults => {
  const faults: Fault[] = [];
  const read = new Map<string, TextTemplate>();
  for (const [written, text] of Object.entries(headers)) {
    const name = written.toLowerCase();
    const value = parseText(text);
    const message =
      findHeaderNameFault(name) ?? (read.has(name) ? 'is given twice' : undefined) ?? ('fault' in value ? value.fault : undefined);
    const literal = 'fault' in value ? '' : value.filter((part) => typeof part === 'string').join('');
    if (message !== undefined) faults.push({ pointer: formatPointer(['execution', 'headers', written]), message });
    else if (!isHeaderText(literal)) faults.push({ pointer: formatPointer(['execution', 'headers', written]), message: onlyPrintable });
    if (!('fault' in value)) read.set(name, value);
  }
  return faults.length > 0 ? { faults } : [...read];
};

const onlyPrintable = 'must contain only printable ASCII characters';

// A line break would end the header and begin another; anything beyond ASCII is read differently by different servers.
const isHeaderText = (text: string): boolean => /^[\t -~]*$/.test(text);

/** Fills in the parameters. A header that is exactly one absent parameter is omitted; inside a longer text it is required. */
export const expandHeaders = (templates: HeaderTemplates, parameters: unknown): Record<string, string> | Faults => {
  const faults: Fault[] = [];
  const headers: Record<string, string> = Object.create(null);
  for (const [name, template] of templates) {
    const sole = findSoleName(template);
    if (sole !== undefined && (readParameter(parameters, sole) ?? null) === null) continue;
    const text = expandText(template, parameters, valueMax);
    if (typeof text !== 'string') faults.push(text);
    else if (!isHeaderText(text)) {
      const culprit = listTemplateNames(template).find((each) => !isHeaderText(String(readParameter(parameters, each))));
      faults.push(findParameterFault(culprit ?? '', `${onlyPrintable} for use in the header ${name}`));
    } else headers[name] = text.trim();
  }
  return faults.length > 0 ? { faults } : headers;
};
