import { describe, test } from 'node:test';
import { findPython } from '@svc/testing/processes/find-python.ts';
import { playSession, titleOf } from './play-session.ts';
import { sessionsOf } from './sessions-of.ts';

describe('the guide about Python agents', { skip: findPython().missing }, () => {
  for (const files of sessionsOf('python')) test(titleOf(files), () => playSession(files));
});
