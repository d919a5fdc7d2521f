create table audit_log (
  id uuid primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  company_id uuid,
  ip_address text,
  details text not null
);

comment on table audit_log is 'Sensitive actions, written in the transaction that does them; rows are never changed or deleted';
comment on column audit_log.details is 'JSON without secrets';

create index audit_log_company_id_idx on audit_log (company_id, at);
create index audit_log_actor_idx on audit_log (actor, at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;

create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
