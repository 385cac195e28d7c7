import type { ToolFlow } from '@svc/contract/risk/flow-words.ts';
import type { RiskRating } from '@svc/contract/tables/vocabulary.ts';
import { NO_FLOW } from '@svc/domain/risk/contexts/flow-context.ts';

/** A tool of the fictional organization: what it does, and what a person declared about it. */
export type BenchTool = {
  readonly flow: ToolFlow;
  /** Fixed destination; the others take it from the parameter `host`. */
  readonly host?: string;
  readonly dangerous: boolean;
  readonly risk: RiskRating;
  /** Capability that the tool requires, where a template names it. */
  readonly capability?: string;
};

type Declared = Partial<ToolFlow> & Pick<BenchTool, 'host' | 'capability'> & { readonly dangerous?: true; readonly risk?: RiskRating };

/** A tool with what a person declares of it; the rest is undeclared. */
export const declare = ({ host, capability, dangerous, risk = 'LOW', ...flow }: Declared): BenchTool => ({
  flow: { ...NO_FLOW, ...flow },
  ...(host === undefined ? {} : { host }),
  ...(capability === undefined ? {} : { capability }),
  dangerous: dangerous === true,
  risk,
});

/** Own hosts, and companies that process data under contract. */
export const INTERNAL = ['*.acme.example', 'acme.example'];
export const PROCESSORS = [{ host: 'translate.example', labels: ['personal_data', 'internal'] }];

const FROM_STRANGERS = ['untrusted_content'];
const OF_PEOPLE = ['personal_data'];
const CONFIDENTIAL = ['internal'];

export const BENCH_TOOLS = {
  // Content that outsiders write.
  'web.fetch': declare({ labels: FROM_STRANGERS, reach: 'EXTERNAL' }),
  'web.search': declare({ labels: FROM_STRANGERS, reach: 'EXTERNAL', host: 'search.example' }),
  'mail.read': declare({ labels: FROM_STRANGERS, reach: 'INTERNAL' }),
  'issue.read': declare({ labels: FROM_STRANGERS, reach: 'INTERNAL', host: 'git.example' }),
  'reviews.read': declare({ labels: FROM_STRANGERS, reach: 'EXTERNAL', host: 'hotels.example' }),
  'chat.read': declare({ labels: FROM_STRANGERS, reach: 'INTERNAL' }),
  'ticket.read': declare({ labels: FROM_STRANGERS, reach: 'INTERNAL' }),
  'docs.lookup': declare({ labels: FROM_STRANGERS, reach: 'EXTERNAL', host: 'docs.example' }),
  'agent.message.read': declare({ labels: FROM_STRANGERS, reach: 'INTERNAL' }),
  // Data of the organization.
  'customer.get': declare({ labels: OF_PEOPLE, readers_from: ['/customer'], reach: 'INTERNAL' }),
  'customer.list': declare({ labels: OF_PEOPLE, reach: 'INTERNAL' }),
  'traveller.get': declare({ labels: OF_PEOPLE, readers: ['hotels.example'], reach: 'INTERNAL' }),
  'salary.list': declare({ labels: OF_PEOPLE, readers: ['bank.example'], reach: 'INTERNAL' }),
  'board.notes': declare({ labels: CONFIDENTIAL, reach: 'INTERNAL' }),
  'code.read': declare({ labels: CONFIDENTIAL, readers: ['cloud.example'], reach: 'INTERNAL', host: 'git.example' }),
  'figures.get': declare({ labels: CONFIDENTIAL, reach: 'INTERNAL' }),
  'vault.read': declare({ labels: ['secret'], reach: 'INTERNAL', risk: 'HIGH' }),
  'metrics.read': declare({ reach: 'INTERNAL' }),
  'calendar.read': declare({ reach: 'INTERNAL' }),
  // Tools that act or send.
  'mail.send': declare({ reach: 'EXTERNAL', recipient_from: '/to', risk: 'MEDIUM' }),
  'calendar.invite': declare({ reach: 'EXTERNAL', recipient_from: '/to' }),
  'page.publish': declare({ reach: 'PUBLIC', host: 'git.example', risk: 'MEDIUM' }),
  'issue.comment': declare({ reach: 'PUBLIC', host: 'git.example' }),
  'issue.label': declare({ reach: 'INTERNAL', host: 'git.example' }),
  'chat.post': declare({ reach: 'EXTERNAL' }),
  'storage.put': declare({ reach: 'EXTERNAL' }),
  'text.translate': declare({ reach: 'EXTERNAL', host: 'translate.example' }),
  'alarm.raise': declare({ reach: 'EXTERNAL', host: 'pager.example' }),
  'hotel.book': declare({ reach: 'EXTERNAL', host: 'hotels.example', risk: 'MEDIUM' }),
  'deploy.run': declare({ reach: 'EXTERNAL', host: 'cloud.example', risk: 'MEDIUM' }),
  'report.write': declare({ reach: 'INTERNAL' }),
  'code.change': declare({ reach: 'INTERNAL', host: 'git.example' }),
  'record.update': declare({ reach: 'INTERNAL', risk: 'MEDIUM' }),
  'refund.small': declare({ reach: 'EXTERNAL', host: 'payments.example', risk: 'MEDIUM' }),
  'refund.large': declare({ reach: 'EXTERNAL', host: 'payments.example', risk: 'HIGH' }),
  'transfer.send': declare({ reach: 'EXTERNAL', host: 'bank.example', dangerous: true, risk: 'CRITICAL' }),
  'payroll.run': declare({ reach: 'EXTERNAL', host: 'bank.example', dangerous: true, risk: 'HIGH' }),
  'record.delete': declare({ reach: 'INTERNAL', dangerous: true, risk: 'HIGH' }),
  'access.grant': declare({ reach: 'INTERNAL', dangerous: true, risk: 'CRITICAL' }),
  'hook.add': declare({ reach: 'EXTERNAL', dangerous: true, risk: 'HIGH' }),
  'shell.run': declare({ reach: 'INTERNAL', dangerous: true, risk: 'CRITICAL' }),
  // Tools without declarations.
  'note.write': declare({ reach: 'INTERNAL' }),
  'note.read': declare({ reach: 'INTERNAL' }),
  'legacy.export': declare({ reach: 'INTERNAL' }),
} as const satisfies Record<string, BenchTool>;

export type BenchToolName = keyof typeof BENCH_TOOLS;
