import type { Chapter } from '../requirement.ts';
import { authorization } from './authorization.ts';
import { configuration } from './configuration.ts';
import { connections } from './connections.ts';
import { cryptography } from './cryptography.ts';
import { data } from './data.ts';
import { factors } from './factors.ts';
import { logging } from './logging.ts';
import { oauth } from './oauth.ts';
import { passwords } from './passwords.ts';
import { selfContainedTokens } from './self-contained-tokens.ts';
import { sessions } from './sessions.ts';

/** The chapters of OWASP ASVS 5.0 in the table. */
export const CHAPTERS: readonly Chapter[] = [
  { id: 'V6', title: 'Authentication', requirements: { ...passwords, ...factors } },
  { id: 'V7', title: 'Sessions', requirements: sessions },
  { id: 'V8', title: 'Authorization', requirements: authorization },
  { id: 'V9', title: 'Self-contained tokens', requirements: selfContainedTokens },
  { id: 'V10', title: 'OAuth and OIDC', requirements: oauth },
  { id: 'V11', title: 'Cryptography', requirements: cryptography },
  { id: 'V12', title: 'Secure communication', requirements: connections },
  { id: 'V13', title: 'Configuration', requirements: configuration },
  { id: 'V14', title: 'Data protection', requirements: data },
  { id: 'V16', title: 'Logging and errors', requirements: logging },
];
