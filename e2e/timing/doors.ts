import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { getStoredHash, newSecret } from '@svc/testing/records/new-secret.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { KNOWN_DOMAIN, type TimingScene, WRONG_PASSWORD } from './scene.ts';

/** One request; every number is used once on each side. */
export type TimingRequest = { readonly method?: string; readonly path: string; readonly body?: object; readonly token?: string };

type Ask = (n: number, scene: TimingScene) => TimingRequest;

/** A possible timing side channel: two kinds of requests that no one may distinguish. */
export type TimingCase = {
  readonly name: string;
  readonly known: Ask;
  readonly unknown: Ask;
  /** Creates what so many requests need. */
  readonly prepare?: (scene: TimingScene, from: number, to: number) => Promise<void>;
  /** True if callers are authenticated, and so limited in what they may learn. */
  readonly isAskedByMembers?: boolean;
  /** Why the responses may differ: then only their times are compared. */
  readonly differs?: string;
};

const post = (path: string, body: object, token?: string): TimingRequest => ({ path, body, ...(token === undefined ? {} : { token }) });

const login = (email: string) => post('/v1/auth/login', { email, password: WRONG_PASSWORD });
const signUp = (email: string) =>
  post('/v1/auth/signup/start', { email, password: 'a phrase of nobody in particular', name: 'Nobody', organizationName: 'None' });
const verify = (email: string) => post('/v1/auth/signup/verify', { email, code: '000000' });
const startReset = (email: string) => post('/v1/auth/password/reset/start', { email });
const reset = (email: string) =>
  post('/v1/auth/password/reset', { email, code: '000000', new_password: 'a phrase of nobody in particular' });
const invite = (email: string, { tenant }: TimingScene) =>
  post('/v1/members/invitations', { email, role_id: getBuiltInRole('viewer').id }, tenant.token);
const startSso = (query: string): TimingRequest => ({ method: 'GET', path: `/v1/auth/sso/start?${query}` });

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);

/** Codes of withdrawn invitations, by number. */
const withdrawn = new Map<number, string>();
const insertWithdrawn = async ({ owner, tenant, known }: TimingScene, from: number, to: number): Promise<void> => {
  for (const n of numbers(from, to)) {
    const code = newSecret('invitation');
    withdrawn.set(n, code);
    await owner.query(
      `insert into invitations (organization_id, id, email, role_id, code_hash, invited_by, invited_by_type, sent_at, expires_at, ended_at, ended_as)
       values ($1, $2, $3, $4, $5, $6, 'USER', now(), now() + interval '1 day', now(), 'WITHDRAWN')`,
      [tenant.organization_id, `inv_${newUlid()}`, known(n), getBuiltInRole('viewer').id, getStoredHash(code), tenant.user.id],
    );
  }
};

/** Issued, unused codes without a hash. */
const begin =
  (ask: (email: string) => TimingRequest) =>
  async ({ planes, known }: TimingScene, from: number, to: number): Promise<void> => {
    for (const n of numbers(from, to)) {
      const { path, body } = ask(known(n));
      const headers = { 'content-type': 'application/json' };
      await fetch(`${planes.controlUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }).then((answer) => answer.text());
    }
  };

const accept = (code: string) => post('/v1/auth/invitations/accept', { code, name: 'Nobody', password: WRONG_PASSWORD });

/** In order of execution: later ones use what earlier ones created. */
export const ENDPOINTS: readonly TimingCase[] = [
  { name: 'sign-in', known: (n, { known }) => login(known(n)), unknown: (n, { unknown }) => login(unknown(n)) },
  { name: 'sign-up', known: (n, { known }) => signUp(known(n)), unknown: (n, { unknown }) => signUp(unknown(n)) },
  { name: 'forgotten password', known: (n, { known }) => startReset(known(n)), unknown: (n, { unknown }) => startReset(unknown(n)) },
  {
    name: 'wrong code of a sign-up that waits, or of none',
    prepare: begin(signUp),
    known: (n, { known }) => verify(known(n)),
    unknown: (n) => verify(`none-${n}@${KNOWN_DOMAIN}`),
  },
  {
    name: 'wrong code of a reset that waits, or of none',
    prepare: begin(startReset),
    known: (n, { known }) => reset(known(n)),
    unknown: (n) => reset(`none-${n}@${KNOWN_DOMAIN}`),
  },
  {
    name: 'code of an invitation that was withdrawn, or of none',
    prepare: insertWithdrawn,
    known: (n) => accept(withdrawn.get(n) ?? ''),
    unknown: () => accept(newSecret('invitation')),
  },
  {
    name: 'inviting somebody',
    isAskedByMembers: true,
    known: (n, scene) => invite(scene.known(n), scene),
    unknown: (n, scene) => invite(scene.unknown(n), scene),
  },
  {
    name: 'single sign-on by an address',
    known: (n, { known }) => startSso(`email=${encodeURIComponent(known(n))}`),
    unknown: (n, { unknown }) => startSso(`email=${encodeURIComponent(unknown(n))}`),
  },
  {
    name: 'single sign-on by a domain',
    known: () => startSso(`domain=${KNOWN_DOMAIN}`),
    unknown: () => startSso('domain=other.example'),
    differs: 'a domain that is known leads on to its provider',
  },
];
