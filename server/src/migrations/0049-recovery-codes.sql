-- Several recovery codes for each person. The one of earlier releases stays valid until a new set is made.
alter table recovery_codes rename to recovery_code_sets;
alter table recovery_code_sets rename constraint recovery_codes_pkey to recovery_code_sets_pkey;
alter table recovery_code_sets rename constraint recovery_codes_user_id_fkey to recovery_code_sets_user_id_fkey;
create table recovery_codes (
  user_id uuid not null references recovery_code_sets on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);
insert into recovery_codes (user_id, code_hash) select user_id, code_hash from recovery_code_sets;
alter table recovery_code_sets drop column code_hash;
comment on table recovery_code_sets is 'Counts wrong recovery codes of a person';
comment on table recovery_codes is 'The unused ones';
