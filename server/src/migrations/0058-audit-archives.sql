-- The beginning of the audit log can be written to a file and then removed. Nothing else of it can.

create table audit_archives (
  position bigint primary key,
  hash bytea not null,
  chained_at timestamptz not null,
  entries bigint not null,
  transaction_id text not null,
  archived_at timestamptz not null
);
comment on table audit_archives is 'Ends of the parts of the audit log that are in files and no longer here; rows are never changed or deleted';
comment on column audit_archives.position is 'Of the last entry in the file; everything up to it may be removed';
comment on column audit_archives.hash is 'Of the chain at this position';
comment on column audit_archives.transaction_id is 'Of the head on the live log that has this position';

create trigger audit_archives_append_only before update or delete or truncate on audit_archives
  for each statement execute function refuse_change();

-- What is hashed, so that a file can contain it.
create function audit_entry_text(entry audit_log) returns text language sql stable parallel safe as $$
  select json_build_array(entry.id, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    entry.actor, entry.action, entry.subject, entry.company_id, entry.ip_address, entry.details)::text
$$;
create or replace function audit_entry_hash(entry audit_log) returns bytea language sql stable parallel safe as $$
  select sha256(convert_to(audit_entry_text(entry), 'UTF8'))
$$;

create function refuse_to_remove_entries() returns trigger language plpgsql as $$
begin
  if exists (
    select from removed r where not exists (
      select from audit_chain c where c.entry_id = r.id and c.position <= (select max(position) from audit_archives)
    )
  ) then
    raise exception 'audit_log is append-only';
  end if;
  return null;
end
$$;
create function refuse_to_remove_links() returns trigger language plpgsql as $$
begin
  if exists (select from removed where position > coalesce((select max(position) from audit_archives), 0)) then
    raise exception 'audit_chain is append-only';
  end if;
  return null;
end
$$;
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_archived after delete on audit_log referencing old table as removed
  for each statement execute function refuse_to_remove_entries();
drop trigger audit_chain_append_only on audit_chain;
create trigger audit_chain_append_only before update or truncate on audit_chain
  for each statement execute function refuse_change();
create trigger audit_chain_archived after delete on audit_chain referencing old table as removed
  for each statement execute function refuse_to_remove_links();
