//! `#[derive(Choice)]`.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Fields, Variant};

use crate::attribute::{self, Complaints};

/// The impls of `Choice` and `Local` for an enum.
pub(crate) fn expand(input: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let mut complaints = Complaints::default();
    attribute::refuse(&input.attrs, "choice", "a variant", &mut complaints);
    attribute::refuse_generics(&input.generics, "a choice", &mut complaints);

    let variants = match &input.data {
        Data::Enum(data) if data.variants.is_empty() => {
            complaints.add(Error::new_spanned(&input.ident, "a choice needs at least one variant"));
            Vec::new()
        }
        Data::Enum(data) => data.variants.iter().collect(),
        Data::Struct(data) => {
            let message = "Choice is derived for enums, not for structs";
            complaints.add(Error::new_spanned(data.struct_token, message));
            Vec::new()
        }
        Data::Union(data) => {
            complaints
                .add(Error::new_spanned(data.union_token, "Choice is derived for enums, not for unions"));
            Vec::new()
        }
    };

    let mut names = Vec::new();
    let mut taken = HashSet::new();
    for variant in &variants {
        match name(variant) {
            Err(error) => complaints.add(error),
            Ok(name) if !taken.insert(name.clone()) => {
                let message = format!("two variants are named \"{name}\"");
                complaints.add(Error::new_spanned(variant, message));
            }
            Ok(name) => names.push(name),
        }
    }
    complaints.finish()?;

    let ident = &input.ident;
    let idents: Vec<_> = variants.iter().map(|variant| &variant.ident).collect();
    let numbers: Vec<_> = (0..).take(idents.len()).map(proc_macro2::Literal::i32_unsuffixed).collect();
    Ok(quote! {
        #[automatically_derived]
        impl ::adjutant_kernel::locals::Choice for #ident {
            const NAMES: &'static [&'static str] = &[#(#names),*];

            #[inline]
            fn number(self) -> i32 {
                match self {
                    #(Self::#idents => #numbers,)*
                }
            }

            #[inline]
            fn from_number(number: i32) -> ::core::option::Option<Self> {
                match number {
                    #(#numbers => ::core::option::Option::Some(Self::#idents),)*
                    _ => ::core::option::Option::None,
                }
            }
        }

        #[automatically_derived]
        impl ::adjutant_kernel::locals::Local for #ident {
            const WORDS: usize = 1;
            const TYPE: ::adjutant_kernel::locals::LocalType = ::adjutant_kernel::locals::LocalType::Choice(
                <Self as ::adjutant_kernel::locals::Choice>::NAMES
            );

            #[inline]
            fn put(&self, out: &mut ::adjutant_kernel::locals::Words) {
                out.push(::adjutant_kernel::locals::Choice::number(*self));
            }

            #[inline]
            fn get(
                words: &[i32]
            ) -> ::core::result::Result<Self, ::adjutant_kernel::locals::BadLocal> {
                ::adjutant_kernel::locals::support::get_choice(words)
            }
        }
    })
}

/// The name of a variant, if it is one that a choice can have.
fn name(variant: &Variant) -> syn::Result<String> {
    if !matches!(variant.fields, Fields::Unit) {
        return Err(Error::new_spanned(&variant.fields, "a variant of a choice holds no data"));
    }
    if let Some((_, number)) = &variant.discriminant {
        return Err(Error::new_spanned(number, "the number of a choice is its position: give no other"));
    }
    match attribute::value(&variant.attrs, "choice", "name")? {
        None => Ok(snake_case(&variant.ident.unraw().to_string())),
        Some(given) if given.value().is_empty() => Err(Error::new_spanned(given, "the name is empty")),
        Some(given) => Ok(given.value()),
    }
}

fn snake_case(ident: &str) -> String {
    let chars: Vec<char> = ident.chars().collect();
    let mut name = String::new();
    for (i, c) in chars.iter().enumerate() {
        let after_word = i > 0 && (chars[i - 1].is_lowercase() || chars[i - 1].is_numeric());
        // The last capital of an acronym begins a word: `CSAOrder` is `csa_order`.
        let ends_acronym =
            i > 0 && chars[i - 1].is_uppercase() && chars.get(i + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (after_word || ends_acronym) {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
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
    fn a_choice_numbers_its_variants() {
        assert_expands(
            expand,
            r#"enum Order { ForcedMarch, #[choice(name = "entrench")] DigIn }"#,
            r#"
                #[automatically_derived]
                impl ::adjutant_kernel::locals::Choice for Order {
                    const NAMES: &'static [&'static str] = &["forced_march", "entrench"];

                    #[inline]
                    fn number(self) -> i32 {
                        match self { Self::ForcedMarch => 0, Self::DigIn => 1, }
                    }

                    #[inline]
                    fn from_number(number: i32) -> ::core::option::Option<Self> {
                        match number {
                            0 => ::core::option::Option::Some(Self::ForcedMarch),
                            1 => ::core::option::Option::Some(Self::DigIn),
                            _ => ::core::option::Option::None,
                        }
                    }
                }

                #[automatically_derived]
                impl ::adjutant_kernel::locals::Local for Order {
                    const WORDS: usize = 1;
                    const TYPE: ::adjutant_kernel::locals::LocalType =
                        ::adjutant_kernel::locals::LocalType::Choice(
                            <Self as ::adjutant_kernel::locals::Choice>::NAMES
                        );

                    #[inline]
                    fn put(&self, out: &mut ::adjutant_kernel::locals::Words) {
                        out.push(::adjutant_kernel::locals::Choice::number(*self));
                    }

                    #[inline]
                    fn get(
                        words: &[i32]
                    ) -> ::core::result::Result<Self, ::adjutant_kernel::locals::BadLocal> {
                        ::adjutant_kernel::locals::support::get_choice(words)
                    }
                }
            "#,
        );
    }

    #[test]
    fn names_are_snake_case() {
        let names = [
            ("Hold", "hold"),
            ("FallBack", "fall_back"),
            ("CSAOrder", "csa_order"),
            ("Wing2Left", "wing2_left"),
            ("A", "a"),
            ("USA", "usa"),
            ("already_snake", "already_snake"),
        ];
        for (ident, name) in names {
            assert_eq!(snake_case(ident), name);
        }
    }

    #[test]
    fn only_enums_without_data_are_choices() {
        refused("struct A;", &[("Choice is derived for enums, not for structs", "struct")]);
        refused("union A { b: u8 }", &[("Choice is derived for enums, not for unions", "union")]);
        refused("enum A {}", &[("a choice needs at least one variant", "A")]);
        let data = "a variant of a choice holds no data";
        refused("enum A { B, C(u8), D { e: u8 } }", &[(data, "(u8)"), (data, "{ e: u8 }")]);
        let number = "the number of a choice is its position: give no other";
        refused("enum A { B = 3 }", &[(number, "3")]);
    }

    #[test]
    fn generics_are_refused() {
        refused("enum A<T> { B }", &[("a choice cannot be generic", "<T>")]);
        refused("enum A where u8: Copy { B }", &[("a choice cannot have a where clause", "where u8: Copy")]);
    }

    #[test]
    fn bad_attributes_are_refused_where_they_stand() {
        let key = "unknown key; #[choice(...)] has only `name = \"...\"`";
        refused(r#"enum A { #[choice(nom = "b")] B }"#, &[(key, "nom")]);
        let write = "write #[choice(name = \"...\")]";
        refused("enum A { #[choice] B }", &[(write, "#[choice]")]);
        refused(r#"enum A { #[choice(name = "")] B }"#, &[("the name is empty", "\"\"")]);
        let goes_on = "#[choice(...)] goes on a variant";
        refused(r#"#[choice(name = "a")] enum A { B }"#, &[(goes_on, "#[choice(name = \"a\")]")]);
    }

    #[test]
    fn names_are_told_apart() {
        let source = r#"enum A { FallBack, #[choice(name = "fall_back")] B }"#;
        let at = r#"#[choice(name = "fall_back")] B"#;
        refused(source, &[("two variants are named \"fall_back\"", at)]);
    }
}
