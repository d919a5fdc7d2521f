create table requirements (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  name text not null,
  hash text not null,
  content jsonb not null,
  in_use boolean not null,
  created_at timestamptz not null
);
comment on table requirements is 'What a company requires of certificates; every version stays, because decisions name its hash';
comment on column requirements.hash is 'SHA-256 of the canonical JSON of the content, hex';
comment on column requirements.in_use is 'The newest version of its name, unless it was taken out of use';

create unique index requirements_hash on requirements (company_id, hash);
create unique index requirements_name on requirements (company_id, name) where in_use;
create index requirements_list on requirements (company_id, id desc) where in_use;
