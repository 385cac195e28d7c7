import { RISK_RATINGS, type RiskRating } from '@svc/contract/tables/vocabulary.ts';
import type { Judged, ProposalDraft } from '../draft/proposal.ts';
import { toLine } from '../draft/reading.ts';
import { findBelyingWord, findMethodOverride } from './belied-reading.ts';
import { ENDS, worded } from './words.ts';

/** A draft, and the field by which it carries other calls. */
export type Judging = ProposalDraft & { readonly carries?: string };

type Rated = { readonly rating: RiskRating; readonly dangerous?: true; readonly reason: string };

/** Subjects of operations, by words in name, path and scopes: their risk for reading, and for changing. */
const SUBJECTS: readonly {
  readonly words: RegExp;
  readonly told: string;
  readonly reads: RiskRating;
  readonly changes: RiskRating;
  readonly dangerous?: true;
}[] = [
  {
    words:
      /\b(payments?|payouts?|refunds?|charges?|transfers?|withdraw(?:al)?s?|disburse(?:ment)?s?|topups?|wires?|capture|settlements?|debits?|purchases?|orders?|subscriptions?|invoices?|billing|credits?|bank|mandates?|loans?|trades?)\b/,
    told: 'moves or concerns money',
    reads: 'LOW',
    changes: 'HIGH',
    dangerous: true,
  },
  {
    words: /\b(admins?|administrators?|sudo|root|impersonat(?:e|ion)|superuser|owners?|enterprise)\b/,
    told: 'is for administrators',
    reads: 'MEDIUM',
    changes: 'CRITICAL',
    dangerous: true,
  },
  {
    words:
      /\b(permissions?|roles?|polic(?:y|ies)|acl|access|grants?|members?|memberships?|users?|accounts?|collaborators?|groups?|sso|saml|scim|oauth|invitations?)\b/,
    told: 'concerns permissions',
    reads: 'LOW',
    changes: 'HIGH',
  },
  {
    words: /\b(secrets?|credentials?|keys?|tokens?|passwords?|certificates?|private|encrypt(?:ion)?|vaults?)\b/,
    told: 'concerns secrets',
    reads: 'MEDIUM',
    changes: 'HIGH',
    dangerous: true,
  },
  {
    words:
      /\b(deploy(?:ment)?s?|execute|exec|run|eval|shell|scripts?|webhooks?|hooks?|reboot|shutdown|poweroff|power off|restart|rebuild|restore|reset)\b/,
    told: 'starts or stops something',
    reads: 'LOW',
    changes: 'HIGH',
  },
  {
    words: /\b(send|publish|messages?|emails?|sms|calls?|notif(?:y|ications?)|broadcast|post)\b/,
    told: 'reaches other people',
    reads: 'LOW',
    changes: 'MEDIUM',
  },
];

const CRITICAL_ENDS =
  /\b(organizations?|orgs?|accounts?|repositor(?:y|ies)|repos?|clusters?|databases?|workspaces?|projects?|namespaces?|tenants?|customers?|backups?|enterprise|volumes?|buckets?)\b/;

const SCOPE = /(?:^|[\s:._/-])(admin|delete|write|manage|full)(?:$|[\s:._/-])/i;

const ofMethod = ({ method, reads }: ProposalDraft, belying: string | undefined): Rated => {
  if (method === 'DELETE') return { rating: 'HIGH', dangerous: true, reason: 'DELETE removes data.' };
  if (belying !== undefined)
    return { rating: 'MEDIUM', reason: `The method only reads, but "${belying}" in its name or parameters suggests a change.` };
  if (reads)
    return {
      rating: 'LOW',
      reason: method === 'GET' ? 'GET reads and changes nothing.' : 'According to the document, it reads and changes nothing.',
    };
  return { rating: 'MEDIUM', reason: `${method} changes something.` };
};

const rank = (rating: RiskRating): number => RISK_RATINGS.indexOf(rating);

const ofEnding = (draft: ProposalDraft, text: string): readonly Rated[] => {
  if (draft.reads || !(draft.method === 'DELETE' || ENDS.test(text))) return [];
  const [what] = CRITICAL_ENDS.exec(text) ?? [];
  const [word] = ENDS.exec(text) ?? [];
  const told: Rated[] =
    word === undefined
      ? []
      : [{ rating: 'HIGH', dangerous: true, reason: `"${word}" in its name suggests that it stops or removes something.` }];
  return what === undefined
    ? told
    : [
        ...told,
        { rating: 'CRITICAL', dangerous: true, reason: `The deleted resource may be, or belong to, a group of its kind ("${what}").` },
      ];
};

const ofSubjects = ({ reads }: ProposalDraft, text: string): readonly Rated[] =>
  SUBJECTS.flatMap(({ words, told, reads: whenRead, changes, dangerous }) => {
    const [word] = words.exec(text) ?? [];
    const rating = reads ? whenRead : changes;
    if (word === undefined || rating === 'LOW') return [];
    return [{ rating, ...(dangerous && !reads ? { dangerous } : {}), reason: `"${word}" suggests that it ${told}.` }];
  });

const ofScopes = ({ credentials, reads }: ProposalDraft): readonly Rated[] =>
  credentials
    .flatMap(({ scopes }) => scopes)
    .filter((scope) => SCOPE.test(scope))
    .slice(0, 1)
    .map((scope) => ({ rating: reads ? 'MEDIUM' : 'HIGH', reason: `It requires the scope ${scope}.` }));

const REASONS_MAX = 8;

const ofOverride = (draft: ProposalDraft): readonly Rated[] => {
  const name = findMethodOverride(draft);
  return name === undefined
    ? []
    : [
        {
          rating: 'HIGH',
          dangerous: true,
          reason: `The parameter ${toLine(name, 60)} can turn the call into a different call than declared.`,
        },
      ];
};

const ofCarried = ({ carries }: Judging): readonly Rated[] =>
  carries === undefined
    ? []
    : [
        {
          rating: 'HIGH',
          dangerous: true,
          reason: `The parameter "${toLine(carries, 60)}" lets the service run calls that are not declared.`,
        },
      ];

/** Returns true if an operation only reads, judged also by its name and parameters. */
export const onlyReads = (draft: Judging): boolean =>
  draft.reads && draft.carries === undefined && findBelyingWord(draft) === undefined && findMethodOverride(draft) === undefined;

/**
 * Estimates the risk of an operation [a rating by method, words and scopes], with reasons. It is a proposal: people who know the service
 * decide.
 */
export const judgeRisk = (draft: Judging): Judged => {
  const text = worded(draft.words.join(' '));
  const seen = { ...draft, reads: onlyReads(draft) };
  const rated = [
    ofMethod(draft, findBelyingWord(draft)),
    ...ofOverride(draft),
    ...ofCarried(draft),
    ...ofEnding(seen, text),
    ...ofSubjects(seen, text),
    ...ofScopes(seen),
  ];
  const rating = rated.reduce<RiskRating>((highest, each) => (rank(each.rating) > rank(highest) ? each.rating : highest), 'LOW');
  return {
    rating,
    dangerous: rated.some(({ dangerous }) => dangerous === true),
    reasons: rated.map(({ reason }) => reason).slice(0, REASONS_MAX),
  };
};
