/** Statements that leave the schema as it is before the first migration: the list of migrations that ran, and nothing else. */
export const EMPTY_SCHEMA = `drop schema public cascade; create schema public;
  create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now());`;
