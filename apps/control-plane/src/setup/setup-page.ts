import type { Database } from '@svc/postgres/connect.ts';
import type { FastifyInstance } from 'fastify';

export const addSetupPage = (_app: FastifyInstance, _identity: Database): void => undefined;
export const newSetupUrl = async (_identity: Database, _baseUrl: string): Promise<string | null> => null;
