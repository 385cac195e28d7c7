import { Type } from 'typebox';
import { LIMITS } from '../tables/limits.ts';

/** Networks in CIDR form from which calls are accepted; an empty list means anywhere. For an organization, and for an API key. */
export const allowedNetworks = Type.Array(Type.String({ minLength: 1, maxLength: 64, examples: ['203.0.113.0/24'] }), {
  maxItems: LIMITS.networks.countMax,
  description:
    'Networks in CIDR notation, such as 203.0.113.0/24 or 2001:db8::/32, from which requests are accepted. An empty list permits all networks.',
});
