import { ACTION_TOPICS } from './action-topics.ts';
import { EVENT_TOPICS } from './event-topics.ts';
import { PEOPLE_TOPICS } from './people-topics.ts';
import { SERVER_TOPICS } from './server-topics.ts';
import type { Topic } from './topic.ts';

type TopicGroup = { readonly title: string; readonly topics: readonly Topic[] };

/** Behaviour that crosses packages, and where it is implemented; shown in the map of the code. */
export const TOPICS: readonly TopicGroup[] = [
  { title: 'Actions, policies and tools', topics: ACTION_TOPICS },
  { title: 'Agents and people', topics: PEOPLE_TOPICS },
  { title: 'Events and the audit record', topics: EVENT_TOPICS },
  { title: 'Servers, limits and storage', topics: SERVER_TOPICS },
];
