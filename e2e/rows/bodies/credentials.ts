import { type Asked, type Bodies, reason } from './bodies-of.ts';

export const credentialBodies = ({
  made,
  setting: {
    tenant: { environment_id },
  },
}: Asked): Bodies => ({
  createCredential: {
    ...{ name: `Credential ${made}`, environment_id, scheme: 'HEADER', placement: { header: 'x-api-key', prefix: 'Key' } },
    ...{ destinations: ['service.example', '*.service.example:8443'], tools: ['x'], secret: `secret ${made}` },
    extras: [{ in: 'QUERY', name: 'app', secret: `another secret ${made}` }],
  },
  rotateCredential: { secret: `another ${made}` },
  revokeCredential: { reason },
  connectCredential: {},
  testCredential: { url: 'https://service.example/' },
});
