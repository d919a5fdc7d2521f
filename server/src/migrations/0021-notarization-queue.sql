-- Notarizations are claimed from their own rows.
alter table certificates add column next_attempt_at timestamptz;
comment on column certificates.next_attempt_at is
  'When a worker may claim the notarization: when it is due, or when the lease of its worker ends; null once it has ended';

update certificates set next_attempt_at = updated_at where state in ('accepted', 'running');

alter table certificates add check ((state in ('accepted', 'running')) = (next_attempt_at is not null));
create index certificates_due on certificates (company_id, next_attempt_at) where next_attempt_at is not null;

create function notify_notarization() returns trigger language plpgsql as $$
begin
  perform pg_notify('millseal_notarizations', '');
  return null;
end $$;

create trigger certificates_notify after insert on certificates
  for each statement execute function notify_notarization();
