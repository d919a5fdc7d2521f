-- Which installation this database belongs to, and where its other files are.
create table installation (
  single boolean primary key default true check (single),
  id uuid not null,
  files text not null,
  marked boolean not null default false
);
comment on table installation is 'One row, made at the first start: the id, which is also among the files, and where those are';
comment on column installation.marked is 'Whether the id is among the files, so that files without it are others';

-- Until now, all logs were in the data folder.
insert into installation (id, files) select gen_random_uuid(), 'folder' where exists (select from ledger_logs);
