-- A review of a company can end: the rejection says since when, and the log gets to know it.

alter table company_reviews
  add column since timestamptz,
  add column revoke_keys boolean not null default false;
comment on column company_reviews.since is 'Of a rejection: since when earlier reviews do not count. Null: since it was made';
comment on column company_reviews.revoke_keys is 'Of a rejection: whether all keys of the company are revoked with it';

alter table log_reviews add column ended_by text;
comment on column log_reviews.ended_by is 'The transaction that says on this log that the review ended';
