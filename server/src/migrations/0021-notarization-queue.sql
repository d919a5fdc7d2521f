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

-- The same comments in plain words.
comment on column certificates.pdf_hash is 'SHA-256 of the PDF, which is rendered once and stored before it is recorded';
comment on column hook_deliveries.next_attempt_at is 'While claimed: when the lease of the worker ends';
comment on column hook_deliveries.tries is 'Attempts of the current schedule; a retry by hand starts a new one';
comment on column mails.next_attempt_at is 'Null: nothing is left to do. While claimed: when the lease of the worker ends';
comment on column mails.tries is 'Attempts of the current schedule; a retry by hand starts a new one';
