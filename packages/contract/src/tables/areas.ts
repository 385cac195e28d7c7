/** Areas of the service, one word each: the folder of every row, operation, rule and statement, and the tag of the OpenAPI documents. */
export const AREAS = [
  'service',
  'tenancy',
  'people',
  'agents',
  'tools',
  'policies',
  'actions',
  'money',
  'credentials',
  'peers',
  'runtimes',
  'events',
  'incidents',
  'risk',
] as const;
export type Area = (typeof AREAS)[number];
