-- A hash chain over the audit log. Entries are chained shortly after they are committed, so that no action waits for another.
create table audit_chain (
  position bigint primary key,
  entry_id uuid not null unique,
  entry_hash bytea not null,
  chained_at timestamptz not null,
  hash bytea not null
);
comment on table audit_chain is 'A hash chain over the audit log; rows are never changed or deleted. docs/audit.md says how the hashes are made';
comment on column audit_chain.entry_hash is 'Of the entry when it was chained';
comment on column audit_chain.hash is 'Of the hash before it, entry_hash, position and chained_at';
create trigger audit_chain_append_only before update or delete or truncate on audit_chain
  for each statement execute function refuse_change();

create table audit_waiting (entry_id uuid not null);
comment on table audit_waiting is 'Entries that are not in the chain yet; restoring a backup can list an entry twice, or one that is in the chain';
insert into audit_waiting select id from audit_log;

create function await_chain() returns trigger language plpgsql as $$
begin
  insert into audit_waiting select id from added;
  return null;
end
$$;
create trigger audit_log_waiting after insert on audit_log referencing new table as added
  for each statement execute function await_chain();

create function audit_entry_hash(entry audit_log) returns bytea language sql stable parallel safe as $$
  select sha256(convert_to(json_build_array(entry.id, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    entry.actor, entry.action, entry.subject, entry.company_id, entry.ip_address, entry.details)::text, 'UTF8'))
$$;

create table audit_heads (
  position bigint primary key,
  hash bytea not null,
  transaction_id text not null,
  recorded_at timestamptz not null
);
comment on table audit_heads is 'Heads of the chain that the live log has: every day one';
