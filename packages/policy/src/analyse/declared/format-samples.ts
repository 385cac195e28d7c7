/** Texts that have a format, for each format that the service checks. */
export const FORMAT_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-06-01'],
  time: ['12:30:00Z'],
  'date-time': ['2026-06-01T12:30:00Z'],
  duration: ['P1D'],
  email: ['a@example.com'],
  hostname: ['example.com'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  uri: ['https://example.com/'],
  'uri-reference': ['https://example.com/'],
  'uri-template': ['https://example.com/'],
  uuid: ['6f3c2a52-6a7e-4b57-9d5e-6d0b8a0f8f3e'],
  'json-pointer': ['/a'],
  byte: ['YQ=='],
};
