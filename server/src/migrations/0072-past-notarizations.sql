-- Deleting a company deletes its certificates. Verifications still have to say that their entries were notarized here.

create table past_notarizations (
  mode text not null,
  transaction_id text not null,
  primary key (mode, transaction_id)
);
comment on table past_notarizations is 'Public entries of the ledger that this service notarized for companies that are deleted';

create function keep_notarization() returns trigger language plpgsql as $$
begin
  insert into past_notarizations (mode, transaction_id) values (old.mode, old.transaction_id) on conflict do nothing;
  return null;
end $$;
create trigger certificates_kept after delete on certificates for each row
  when (old.transaction_id is not null) execute function keep_notarization();
