-- A company may refuse to notarize certificates in which something does not fit together.

alter table companies
  add column on_findings text not null default 'accept'
  constraint companies_on_findings_check check (on_findings in ('accept', 'refuse'));
