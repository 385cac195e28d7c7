-- Values that a former master key opens are taken away in one transaction, and out of the files of the database after it. A death between the two
-- leaves this mark, and the next start goes on. The table is made before any migration, where a start applies them.
do $$
begin
  if to_regclass('installation') is null then
    return;
  end if;
  alter table installation add column former_since timestamptz;
  comment on column installation.former_since is
    'Since when files of tables may hold what a former master key opens; null once they are written anew.';
end
$$;
