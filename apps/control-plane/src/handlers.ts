import type { Handlers } from '@svc/http/calls/call.ts';
import type { ActionsDeps } from './actions/deps.ts';
import { actionsHandlers } from './actions/handlers.ts';
import type { AgentsDeps } from './agents/deps.ts';
import { agentsHandlers } from './agents/handlers.ts';
import type { CredentialsDeps } from './credentials/deps.ts';
import { credentialsHandlers } from './credentials/handlers.ts';
import type { EventsDeps } from './events/deps.ts';
import { eventsHandlers } from './events/handlers.ts';
import type { IncidentsDeps } from './incidents/deps.ts';
import { incidentsHandlers } from './incidents/handlers.ts';
import type { MoneyDeps } from './money/deps.ts';
import { moneyHandlers } from './money/handlers.ts';
import type { PeersDeps } from './peers/deps.ts';
import { peersHandlers } from './peers/handlers.ts';
import type { PeopleDeps } from './people/deps.ts';
import { peopleHandlers } from './people/handlers.ts';
import type { PoliciesDeps } from './policies/deps.ts';
import { policiesHandlers } from './policies/handlers.ts';
import type { RiskDeps } from './risk/deps.ts';
import { riskHandlers } from './risk/handlers.ts';
import type { RuntimesDeps } from './runtimes/deps.ts';
import { runtimesHandlers } from './runtimes/handlers.ts';
import type { ServiceDeps } from './service/deps.ts';
import { serviceHandlers } from './service/handlers.ts';
import type { TenancyDeps } from './tenancy/deps.ts';
import { tenancyHandlers } from './tenancy/handlers.ts';
import type { ToolsDeps } from './tools/deps.ts';
import { toolsHandlers } from './tools/handlers.ts';

/** The dependencies of the handlers of all areas. Only the start of the program, which builds it, knows this type. */
export type ControlDeps = ServiceDeps &
  TenancyDeps &
  PeopleDeps &
  AgentsDeps &
  ToolsDeps &
  CredentialsDeps &
  PoliciesDeps &
  ActionsDeps &
  MoneyDeps &
  EventsDeps &
  PeersDeps &
  IncidentsDeps &
  RiskDeps &
  RuntimesDeps;

/** Handlers of the control plane by area, one per row; a missing one does not compile. */
export const handlers: Handlers<'control', ControlDeps> = {
  ...serviceHandlers,
  ...tenancyHandlers,
  ...peopleHandlers,
  ...agentsHandlers,
  ...toolsHandlers,
  ...credentialsHandlers,
  ...policiesHandlers,
  ...actionsHandlers,
  ...moneyHandlers,
  ...eventsHandlers,
  ...peersHandlers,
  ...incidentsHandlers,
  ...riskHandlers,
  ...runtimesHandlers,
};
