import { describe, test } from 'node:test';
import { playSession, titleOf } from './play-session.ts';
import { sessionsOf } from './sessions-of.ts';

describe('the guides about events', () => {
  for (const files of sessionsOf('events')) test(titleOf(files), () => playSession(files));
});
