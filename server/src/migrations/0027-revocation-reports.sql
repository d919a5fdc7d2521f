-- A key can be revoked again from an earlier time, by its recovery key or by the operator.
alter table key_revocations drop constraint key_revocations_pkey;
alter table key_revocations add primary key (transaction_id);
create index key_revocations_identity on key_revocations (identity_id);
alter table key_revocations add column revoked_before timestamptz;
comment on column key_revocations.revoked_before is 'Since when the key was revoked already; null if it was not';

create table revocation_reports (
  transaction_id text primary key,
  reported_to uuid,
  finished_at timestamptz
);
comment on table revocation_reports is 'How far the receivers of certificates were told that the key was revoked';
comment on column revocation_reports.transaction_id is 'The transaction of the revocation';
comment on column revocation_reports.reported_to is 'The last certificate whose companies have the event';

-- Mail hooks that report certificates also report that these are not valid any more.
update mail_hooks h set listens = (
  select array_agg(distinct heard order by heard) from (
    select unnest(h.listens) as heard
    union
    select split_part(known, '/', 1) || '/certificates/' || corrected
    from unnest(h.listens) as known, unnest(array['withdraw_one', 'replace_one', 'revoke_many']) as corrected
    where known like '%/certificates/notarize\_one' or known like '%/certificates/receive\_one'
  ) every
);
