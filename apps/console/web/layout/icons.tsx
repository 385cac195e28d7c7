import type { ConsoleRouteName } from '@svc/contract/tables/console-routes.ts';
import {
  Activity,
  Bell,
  Blocks,
  Bot,
  Cable,
  ClipboardCheck,
  Fingerprint,
  Gauge,
  GitFork,
  Inbox,
  KeyRound,
  KeySquare,
  Layers,
  Link2,
  Lock,
  MessageSquare,
  MonitorSmartphone,
  Plug,
  Scale,
  ScrollText,
  ShieldCheck,
  User,
  Users,
  Webhook,
  Workflow,
  Wrench,
} from 'lucide-react';
import type { ReactNode } from 'react';

const ICONS: Partial<Record<ConsoleRouteName, typeof Bell>> = {
  overview: Gauge,
  approvals: Inbox,
  actions: Activity,
  policies: Scale,
  agents: Bot,
  delegations: GitFork,
  tools: Wrench,
  credentials: KeyRound,
  mcpServers: Plug,
  auditEvents: ScrollText,
  compliance: ClipboardCheck,
  webhooks: Webhook,
  members: Users,
  notificationChannels: MessageSquare,
  roles: ShieldCheck,
  apiKeys: KeySquare,
  environments: Layers,
  integrations: Cable,
  runtimes: Workflow,
  inbox: Bell,
  profile: User,
  sessions: MonitorSmartphone,
  secondFactors: Fingerprint,
  password: Lock,
  identities: Link2,
};

/** The icon of a page in the menu; decoration only, since the name stands beside it or is its label. */
export const RouteIcon = ({ name }: { readonly name: ConsoleRouteName }): ReactNode => {
  const Icon = ICONS[name] ?? Blocks;
  return <Icon size={16} strokeWidth={1.75} aria-hidden />;
};
