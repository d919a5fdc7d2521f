alter table mfa_factors rename column failing_since to failed_at;
alter table recovery_codes rename column failing_since to failed_at;

comment on column mfa_factors.failures is 'Wrong codes, each within an hour of the one before; the fifth locks the factor for an hour';
comment on column mfa_factors.failed_at is 'The last of them';
comment on column recovery_codes.failures is 'Counted as those of mfa_factors';
