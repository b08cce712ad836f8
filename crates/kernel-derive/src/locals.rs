//! `#[derive(Locals)]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Fields};

use crate::attribute::{self, Complaints};

const CLASSES: [(&str, &str); 4] =
    [("public", "Public"), ("owner", "Owner"), ("sides", "Sides"), ("hidden", "Hidden")];

/// The impl of `Locals` for a struct.
pub(crate) fn expand(input: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let mut complaints = Complaints::default();
    attribute::refuse(&input.attrs, "local", "a field", &mut complaints);
    attribute::refuse_generics(&input.generics, "a struct of locals", &mut complaints);

    let fields = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => fields.named.iter().collect(),
            Fields::Unit => Vec::new(),
            Fields::Unnamed(fields) => {
                let message = "locals are saved by name: give the fields names";
                complaints.add(Error::new_spanned(fields, message));
                Vec::new()
            }
        },
        Data::Enum(data) => {
            complaints
                .add(Error::new_spanned(data.enum_token, "Locals is derived for structs, not for enums"));
            Vec::new()
        }
        Data::Union(data) => {
            complaints
                .add(Error::new_spanned(data.union_token, "Locals is derived for structs, not for unions"));
            Vec::new()
        }
    };

    let mut defs = Vec::new();
    let mut stores = Vec::new();
    let mut loads = Vec::new();
    for field in fields {
        let Some(ident) = &field.ident else { continue };
        let class = class(field).unwrap_or_else(|error| {
            complaints.add(error);
            format_ident!("Public")
        });
        let name = ident.unraw().to_string();
        let ty = &field.ty;
        // "Is not a Local" belongs to the type.
        let span = Span::call_site().located_at(ty.span());
        defs.push(quote_spanned! {span=>
            ::adjutant_kernel::locals::support::field::<#ty>(
                #name,
                ::adjutant_kernel::locals::LocalClass::#class
            )
        });
        stores.push(quote_spanned! {span=> ::adjutant_kernel::locals::Local::put(&self.#ident, out); });
        loads.push(quote_spanned! {span=> #ident: ::adjutant_kernel::locals::support::take(rest, #name)? });
    }
    complaints.finish()?;

    let ident = &input.ident;
    let rest = if loads.is_empty() { None } else { Some(quote! { let rest = &mut &*words; }) };
    let out = if stores.is_empty() { format_ident!("_out") } else { format_ident!("out") };
    Ok(quote! {
        #[automatically_derived]
        impl ::adjutant_kernel::locals::Locals for #ident {
            const FIELDS: &'static [::adjutant_kernel::locals::FieldDef] = &[#(#defs),*];

            #[inline]
            fn store(&self, #out: &mut ::adjutant_kernel::locals::Words) {
                #(#stores)*
            }

            #[inline]
            fn load(
                words: &[i32]
            ) -> ::core::result::Result<Self, ::adjutant_kernel::locals::BadLocal> {
                ::adjutant_kernel::locals::support::check_length::<Self>(words)?;
                #rest
                ::core::result::Result::Ok(Self { #(#loads),* })
            }
        }
    })
}

/// The class of a field, as a variant of `LocalClass`.
fn class(field: &Field) -> syn::Result<Ident> {
    let Some(given) = attribute::value(&field.attrs, "local", "class")? else {
        return Ok(format_ident!("Public"));
    };
    match CLASSES.iter().find(|(name, _)| *name == given.value()) {
        Some((_, variant)) => Ok(format_ident!("{variant}")),
        None => {
            let message = format!(
                "unknown class \"{}\"; the classes are public, owner, sides and hidden",
                given.value()
            );
            Err(Error::new_spanned(given, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_expands, complaints};

    fn refused(source: &str, expected: &[(&str, &str)]) {
        let found = complaints(expand, source);
        let found: Vec<_> = found.iter().map(|(message, at)| (message.as_str(), at.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_struct_stores_its_fields_in_order() {
        assert_expands(
            expand,
            r#"
                /// Documented.
                pub(crate) struct Clash {
                    at: SpaceId,
                    #[local(class = "hidden")]
                    r#type: Option<u8>,
                }
            "#,
            r#"
                #[automatically_derived]
                impl ::adjutant_kernel::locals::Locals for Clash {
                    const FIELDS: &'static [::adjutant_kernel::locals::FieldDef] = &[
                        ::adjutant_kernel::locals::support::field::<SpaceId>(
                            "at",
                            ::adjutant_kernel::locals::LocalClass::Public
                        ),
                        ::adjutant_kernel::locals::support::field::<Option<u8> >(
                            "type",
                            ::adjutant_kernel::locals::LocalClass::Hidden
                        )
                    ];

                    #[inline]
                    fn store(&self, out: &mut ::adjutant_kernel::locals::Words) {
                        ::adjutant_kernel::locals::Local::put(&self.at, out);
                        ::adjutant_kernel::locals::Local::put(&self.r#type, out);
                    }

                    #[inline]
                    fn load(
                        words: &[i32]
                    ) -> ::core::result::Result<Self, ::adjutant_kernel::locals::BadLocal> {
                        ::adjutant_kernel::locals::support::check_length::<Self>(words)?;
                        let rest = &mut &*words;
                        ::core::result::Result::Ok(Self {
                            at: ::adjutant_kernel::locals::support::take(rest, "at")?,
                            r#type: ::adjutant_kernel::locals::support::take(rest, "type")?
                        })
                    }
                }
            "#,
        );
    }

    #[test]
    fn every_class_has_its_variant() {
        for (name, variant) in CLASSES {
            let source = format!("struct A {{ #[local(class = \"{name}\")] a: [u8; 2] }}");
            let made = expand(source.parse().unwrap()).unwrap().to_string();
            assert!(made.contains(&format!("LocalClass :: {variant}")), "{made}");
        }
    }

    #[test]
    fn structs_without_fields_are_good() {
        for source in ["struct Pass;", "struct Pass {}"] {
            let made = expand(source.parse().unwrap()).unwrap();
            syn::parse2::<syn::ItemImpl>(made).unwrap();
        }
    }

    #[test]
    fn only_structs_with_names_are_locals() {
        let message = "locals are saved by name: give the fields names";
        refused("struct A(u8, u8);", &[(message, "(u8, u8)")]);
        refused("enum A { B }", &[("Locals is derived for structs, not for enums", "enum")]);
        refused("union A { b: u8 }", &[("Locals is derived for structs, not for unions", "union")]);
    }

    #[test]
    fn generics_are_refused() {
        let message = "a struct of locals cannot be generic";
        refused("struct A<T> { a: T }", &[(message, "<T>")]);
        refused("struct A<'a> { a: &'a u8 }", &[(message, "<'a>")]);
        refused("struct A<const N: usize> { a: [u8; N] }", &[(message, "<const N: usize>")]);
        let message = "a struct of locals cannot have a where clause";
        refused("struct A where u8: Copy { a: u8 }", &[(message, "where u8: Copy")]);
    }

    #[test]
    fn bad_attributes_are_refused_where_they_stand() {
        let unknown = "unknown class \"secret\"; the classes are public, owner, sides and hidden";
        refused(r#"struct A { #[local(class = "secret")] a: u8 }"#, &[(unknown, "\"secret\"")]);
        let key = "unknown key; #[local(...)] has only `class = \"...\"`";
        refused(r#"struct A { #[local(klass = "owner")] a: u8 }"#, &[(key, "klass")]);
        refused(r#"struct A { #[local(owner)] a: u8 }"#, &[(key, "owner")]);
        let write = "write #[local(class = \"...\")]";
        refused("struct A { #[local] a: u8 }", &[(write, "#[local]")]);
        refused("struct A { #[local()] a: u8 }", &[(write, "#[local()]")]);
        refused("struct A { #[local = 1] a: u8 }", &[(write, "#[local = 1]")]);
        refused("struct A { #[local(class = 1)] a: u8 }", &[("expected string literal", "1")]);
        let twice = "`class` is given twice";
        refused(r#"struct A { #[local(class = "owner", class = "owner")] a: u8 }"#, &[(twice, "class")]);
        let goes_on = "#[local(...)] goes on a field";
        refused(r#"#[local(class = "owner")] struct A;"#, &[(goes_on, "#[local(class = \"owner\")]")]);
    }

    #[test]
    fn all_errors_are_reported_together() {
        let source = r#"struct A<T> { #[local] a: u8, #[local(class = "x")] b: T }"#;
        assert_eq!(complaints(expand, source).len(), 3);
    }
}
